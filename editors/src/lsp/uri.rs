//! Converts between paths and `file:` URIs (RFC 8089), by the conventions of the server's operating
//! system.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gray1_isa::text::unescape_percent;

/// The path of a `file:` URI on this computer.
pub(super) fn path_from_uri(uri: &str) -> Option<PathBuf> {
    let path = PathBuf::from(decode(uri, cfg!(windows))?);
    path.is_absolute().then_some(path)
}

fn decode(uri: &str, is_windows: bool) -> Option<OsString> {
    let rest = uri.strip_prefix("file://")?;
    let encoded = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes = unescape_percent(encoded);
    if !is_windows {
        return Some(path_from_bytes(bytes));
    }
    let path = String::from_utf8(bytes).ok()?.replace('/', r"\");
    let path = match path.strip_prefix('\\') {
        // Editors write drive letters in either case, Windows in upper case.
        Some(local) if local.get(1..3) == Some(r":\") => {
            local[..1].to_ascii_uppercase() + &local[1..]
        }
        Some(_) => return None,
        None => format!(r"\\{path}"),
    };
    Some(path.into())
}

/// A path from these bytes.
#[cfg(unix)]
fn path_from_bytes(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// A path from these bytes, which must be UTF-8 on this system.
#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// The URI of an absolute path.
pub(super) fn uri_from_path(path: &Path) -> Option<String> {
    path.is_absolute().then(|| encode(path.as_os_str().as_encoded_bytes(), cfg!(windows)))
}

fn encode(path: &[u8], is_windows: bool) -> String {
    let mut uri = String::from("file://");
    let mut path = path.to_vec();
    if is_windows {
        path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
        if path.starts_with(b"//") {
            path.drain(..2);
        } else {
            uri.push('/');
        }
    }
    for byte in path {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_convert_in_both_directions() {
        for (is_windows, path, uri) in [
            (false, "/a/b.asm", "file:///a/b.asm"),
            (false, "/a b/ü%#?.asm", "file:///a%20b/%C3%BC%25%23%3F.asm"),
            (false, r"/C:/a\b", "file:///C%3A/a%5Cb"),
            (true, r"C:\a b\ü.asm", "file:///C%3A/a%20b/%C3%BC.asm"),
            (true, r"\\server\share\a.asm", "file://server/share/a.asm"),
        ] {
            assert_eq!(encode(path.as_bytes(), is_windows), uri);
            assert_eq!(decode(uri, is_windows), Some(path.into()));
        }
        assert_eq!(decode("file:///c:/a.asm", true), Some(r"C:\a.asm".into()));
        assert_eq!(decode("file:///a.asm", true), None);
        assert_eq!(uri_from_path(Path::new("a.asm")), None);
        for strange in ["untitled:Untitled-1", "file://elsewhere/%GG"] {
            assert_eq!(path_from_uri(strange), None, "{strange}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_has_a_uri() {
        for uri in ["file:///%FF", "file:///a/%C3/%C3%BC%80.asm"] {
            assert_eq!(uri_from_path(&path_from_uri(uri).unwrap()).as_deref(), Some(uri));
        }
    }
}
