//! Signatures, as the protocol puts them.

use std::ops::Range;

use gray1_asm::Signature;
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation,
};

use super::client::Client;
use super::view::View;

impl View<'_> {
    /// The operands of the statement or the call that a byte is in.
    pub(super) fn signature(&self, client: &Client, offset: u32) -> Option<SignatureHelp> {
        let Signature { text, documentation, parameters, active } =
            self.program.signature_help(self.file, offset)?;
        let units = |bytes: usize| text[..bytes].encode_utf16().count() as u32;
        let label = |at: Range<usize>| {
            if client.places_parameters {
                ParameterLabel::LabelOffsets([units(at.start), units(at.end)])
            } else {
                ParameterLabel::Simple(text[at].to_owned())
            }
        };
        let parameter = |at| ParameterInformation { label: label(at), documentation: None };
        let markdown = |value| MarkupContent { kind: MarkupKind::Markdown, value };
        let signature = SignatureInformation {
            parameters: Some(parameters.into_iter().map(parameter).collect()),
            documentation: documentation.map(markdown).map(Documentation::MarkupContent),
            active_parameter: None,
            label: text,
        };
        Some(SignatureHelp {
            signatures: vec![signature],
            active_signature: Some(0),
            active_parameter: Some(active as u32),
        })
    }
}
