//! Short links for documents. They name built-in files instead of containing them, with a checksum
//! of each to detect another version.

use super::{Link, LinkError};
use crate::file;

/// Earlier versions of files, by checksum. They differ only in comments and reasons, so a link to
/// a moment of one shows the same moment of the present version.
const SAME_INSTRUCTIONS: [(&str, u32); 13] = [
    ("lib/attacks.asm", 0x9bb1_f280),
    ("lib/bit-search.asm", 0x4d1b_729c),
    ("lib/buttons.asm", 0x49f0_92c5),
    ("lib/diagonals.asm", 0x1f72_f9f6),
    ("lib/font.asm", 0x7149_4627),
    ("lib/latin.asm", 0x8961_0a17),
    ("lib/panel.asm", 0x51e7_76f2),
    ("lib/print.asm", 0xa93f_fa04),
    ("lib/random.asm", 0xa7ba_4aaa),
    ("lib/squares.asm", 0x0349_d8d5),
    ("lib/std.asm", 0x2e95_daf6),
    ("queens-bits-draw.asm", 0x3041_7dac),
    ("queens-bits.asm", 0xafba_4909),
];

impl Link {
    /// Returns the link like [`Self::encode`], but without the contents of built-in files. A link
    /// to a message contains only the message.
    pub fn encode_short(&self) -> String {
        if let Some(message) = self.encode_message() {
            return message;
        }
        let mut link = self.clone();
        link.sources.0.retain(|path, text| {
            let is_built_in = file(path).is_some_and(|file| file.text == *text);
            if is_built_in {
                link.built_in.insert(path.clone(), checksum(text));
            }
            !is_built_in
        });
        link.encode()
    }

    /// Adds the contents of the built-in files that the link only names.
    pub(super) fn add_built_in_files(mut self) -> Result<Self, LinkError> {
        for (path, expected) in std::mem::take(&mut self.built_in) {
            let file = file(&path).ok_or_else(|| {
                format!("this link needs {path}, which this program does not have")
            })?;
            let is_known = SAME_INSTRUCTIONS.contains(&(&path, expected));
            if checksum(file.text) != expected && !is_known {
                let message =
                    format!("this link needs another version of {path} than this program has");
                return Err(LinkError { message, program: Some(self.program) });
            }
            self.sources.0.entry(path).or_insert_with(|| file.text.to_owned());
        }
        Ok(self)
    }
}

/// Returns a checksum: FNV-1a with 32 bits.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    fn link(files: &[(&str, &str)]) -> Link {
        let text = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        let sources = Sources(files.iter().map(text).collect());
        Link { program: files[0].0.to_owned(), sources, at: 7, ..Link::default() }
    }

    #[test]
    fn a_short_link_opens_like_the_long_one() {
        let built_in = |path| file(path).unwrap().text;
        let [queens, panel] = ["queens.asm", "lib/panel.asm"].map(|path| (path, built_in(path)));
        let mine = ("mine.asm", ".include \"lib/panel.asm\"\n HALT\n");
        for link in [link(&[queens, panel]), link(&[mine, panel]), link(&[mine])] {
            let text = link.encode_short();
            assert!(text.len() < 200 && text.len() <= link.encode().len(), "{}", text.len());
            assert_eq!(Link::decode(&text), Ok(link));
        }
    }

    /// They were made when the files had other comments and reasons.
    #[test]
    fn an_earlier_link_shows_its_moment() {
        let links = [
            (
                "queens-bits.asm",
                "1.eNpdzk0OgyAQBeC7zFpbGVB-LtOgJS2JomVgZbx7qbjq7Cbfy8vbYYvrK9oFDHyyc4Ha0Se6WVqgAVpz\
                 nByB2Y8Gxuzn9PChfDD78V5yLTkbp_eZNgw1H8TvmtM3G9x8EZeCIZcDXhR9SJVQcd0LRDlUovSsIBXrJa\
                 q-tP0PM6iFQmRM87LLJjC667rjC1YaPkA",
            ),
            (
                "queens-bits-draw.asm",
                "1.eNptjssOgyAURP_lrrVFEHn8TANKWhJEy4V0Yfz3Uu3S2U3OTHI2WNPyTGYGDe_iXMTW-oztlMznZnCG\
                 BnApaXQIetsbsMWH_PCxNgje3uu4RWfS-DrWuqOKDf0vzcFXE134Iyb6jjIx0BNhnk4gZMcFlbxeLhW0JI\
                 orySSpAiaDVoSQ_QtgGzoT",
            ),
            (
                "queens-repair.asm",
                "1.eNptz0EOgyAQBdC7zNq2MEBBLtOMSgypogVcGe9eI3TX5eTN_8nfYY3LGGkGC5_NuZBu0a3k453S\
                 DA2kZYu9S2D3o4Fu81N--XBeMPnuQTlT_07Xq8UnRy6YFNhcOHgal0BTZYX6iUa3rOhKwU1FuNCSoz\
                 i5UvQh104jWiXxjBaKFIZl_hmXjAljaizloYA2XGk0SjZ_FlmJXBmhFbJzEGWwLWPs-AI28E_p",
            ),
            (
                "snake.asm",
                "1.eNpNj0kOwyAMRe_iddSCgTBcpiINqlATSBlWUe5elFCpS_9ny-_vsKX4SnYFAznYt7vZvMIAOdb0\
                 dBnMfgwwVb-Uhw9tgsVP96mWEkM-Vw1FTgRBrehwws0Gt3TEJKfI5IgdJR_KhVAxLTiiHC-UbJjj-m\
                 OUE8KU6mf5U21y_Z0QVFJUoqMyX7FUVMgW8-GvRhNoCqSp6dbCFjCaEHJ8AZgESNI",
            ),
            (
                "scroll.asm",
                "1.eNpNzk0OgyAQBeC7zJq0DP9ymQatbUhGMIAr491rpAuXk29e3tthLflbwgIe6lQy0SPUBRjUvJVp\
                 ruD3g8G4RWqvmM4LKI7PT07t-vM4cG6EVYNml1BoMXUSkisnHRrbaQ1ppn9KWoVCWiM61fbuYB1qK5\
                 xW7L7GS41KCW0QzzGhgT9b-fED_l84MQ",
            ),
        ];
        for (program, text) in links {
            let link = Link::decode(text).unwrap();
            assert_eq!((link.program.as_str(), link.at), (program, 9000));
            assert_eq!(link.sources.0[program], file(program).unwrap().text);
            link.image().unwrap();
        }
    }

    #[test]
    fn a_short_link_to_another_version_is_reported() {
        let mut link = link(&[("mine.asm", " HALT\n")]);
        for (path, expected) in [
            (
                "lib/panel.asm",
                "this link needs another version of lib/panel.asm than this program has",
            ),
            ("lib/gone.asm", "this link needs lib/gone.asm, which this program does not have"),
        ] {
            link.built_in = [(path.to_owned(), 1)].into();
            assert_eq!(Link::decode(&link.encode()).unwrap_err().to_string(), expected);
        }
    }
}
