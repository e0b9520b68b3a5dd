//! Explanations of a word (hover) and of operands (signature help).

use serde_json::{Value, json};

use super::protocol::{Hover, ParameterInformation, Position, SignatureHelp, SignatureInformation};
use super::view::View;

impl View<'_> {
    /// The explanation of the word at a position.
    pub fn hover(&self, at: Position) -> Option<Hover> {
        let hover = self.program.hover(self.file, self.offset(at))?;
        Some(Hover { contents: hover.markdown.into(), range: self.range(hover.span) })
    }

    /// The signature of the statement or the call at a position.
    pub fn signature_help(&self, at: Position) -> Option<SignatureHelp> {
        let signature = self.program.signature_help(self.file, self.offset(at))?;
        let label = signature.text;
        let unit = |byte: usize| label[..byte].encode_utf16().count() as u32;
        let spans = signature.parameters.into_iter();
        let parameters = spans
            .map(|at| ParameterInformation { label: [unit(at.start), unit(at.end)] })
            .collect();
        let documentation = signature.documentation.map(Into::into);
        Some(SignatureHelp {
            signatures: [SignatureInformation { label, documentation, parameters }],
            active_signature: 0,
            active_parameter: signature.active as u32,
        })
    }
}

impl SignatureHelp {
    /// The signature help as JSON, with operands as strings for a client that does not support
    /// offsets into the label.
    pub(super) fn with_string_labels(&self) -> Value {
        let mut help = json!(self);
        let [SignatureInformation { label, parameters, .. }] = &self.signatures;
        let units: Vec<u16> = label.encode_utf16().collect();
        for (number, ParameterInformation { label: [start, end] }) in parameters.iter().enumerate()
        {
            let text = String::from_utf16_lossy(&units[*start as usize..*end as usize]);
            help["signatures"][0]["parameters"][number]["label"] = text.into();
        }
        help
    }
}
