//! Dispatches requests about documents.

use serde_json::{Value, json};

use super::client::Client;
use super::message::{ErrorCode, Params, ResponseError};
use super::protocol::{Position, Range};
use super::view::View;
use super::workspace::Workspace;

/// The result of a request, or null if its document is not open.
///
/// # Errors
/// If the method is unknown, a parameter is missing or wrong, or the request cannot be granted.
pub(super) fn answer(
    workspace: &mut Workspace,
    client: &Client,
    method: &str,
    params: &Params,
) -> Result<Value, ResponseError> {
    workspace.refresh();
    if method == "workspace/symbol" {
        return Ok(json!(workspace.symbols(params.get("/query")?)));
    }
    let Some(method) = method.strip_prefix("textDocument/") else { return Err(unknown(method)) };
    let uri = params.get("/textDocument/uri")?;
    let Some(view) = workspace.view(uri) else { return Ok(Value::Null) };
    let position = || params.get::<Position>("/position");
    let range = || params.get::<Range>("/range");
    Ok(match method {
        "hover" => json!(view.hover(position()?)),
        "signatureHelp" => match view.signature_help(position()?) {
            Some(help) if !client.label_offsets => help.with_string_labels(),
            help => json!(help),
        },
        "definition" => json!(view.definitions(position()?)),
        "references" => {
            json!(view.references(position()?, params.get("/context/includeDeclaration")?))
        }
        "prepareRename" => json!(view.prepare_rename(position()?)?),
        "rename" => json!(view.rename(position()?, params.get("/newName")?)?),
        "documentHighlight" => json!(view.highlights(position()?)),
        "completion" => match view.paths(position()?, &workspace.documents) {
            Some(paths) => json!(paths),
            None => json!(view.completions(position()?)),
        },
        "documentSymbol" if client.nested_symbols => json!(view.symbols()),
        "documentSymbol" => json!(view.flat_symbols(uri)),
        "codeAction" => {
            let only: Option<Vec<&str>> = params.get("/context/only")?;
            json!(view.fixes(range()?, only.as_deref()))
        }
        "semanticTokens/full" => view.encoded_tokens(0..=u32::MAX),
        "semanticTokens/range" => view.encoded_tokens(View::lines(range()?)),
        "inlayHint" => json!(view.hints(range()?, client.hints)),
        "codeLens" => json!(view.lenses(uri, &workspace.documents)),
        "formatting" => json!(view.format()),
        "rangeFormatting" => json!(view.format_lines(range()?)),
        "foldingRange" => json!(view.folds()),
        _ => return Err(unknown(&format!("textDocument/{method}"))),
    })
}

fn unknown(method: &str) -> ResponseError {
    ResponseError::new(ErrorCode::MethodNotFound, format!("unknown method `{method}`"))
}
