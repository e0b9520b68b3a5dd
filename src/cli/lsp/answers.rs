//! Requests and their answers.

use std::collections::HashMap;

use gray1_asm::{Completion, CompletionKind, Files, NameKind, Span};
use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion as Complete, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest,
    PrepareRenameRequest, References, Rename, Request as _, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest,
};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, CompletionTextEdit, Documentation,
    FoldingRange, FoldingRangeKind, Hover, HoverContents, MarkupContent, MarkupKind,
    PrepareRenameResponse, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::client::Client;
use super::places;
use super::view::View;
use super::workspace::Workspace;

/// Answers a request.
pub(super) fn answer(workspace: &mut Workspace, client: &Client, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => reply::<HoverRequest>(request, |params| {
            let place = params.text_document_position_params;
            Ok(at(workspace, &place).and_then(|here| here.hover()))
        }),
        SignatureHelpRequest::METHOD => reply::<SignatureHelpRequest>(request, |params| {
            let here = at(workspace, &params.text_document_position_params);
            Ok(here.and_then(|here| here.view.signature(client, here.offset)))
        }),
        GotoDefinition::METHOD => reply::<GotoDefinition>(request, |params| {
            let place = params.text_document_position_params;
            Ok(at(workspace, &place).map(|here| here.definitions().into()))
        }),
        References::METHOD => reply::<References>(request, |params| {
            let here = at(workspace, &params.text_document_position);
            Ok(here.map(|here| here.references(params.context.include_declaration)))
        }),
        PrepareRenameRequest::METHOD => reply::<PrepareRenameRequest>(request, |params| {
            at(workspace, &params).map(|here| here.renamable()).transpose()
        }),
        Rename::METHOD => reply::<Rename>(request, |params| {
            let here = at(workspace, &params.text_document_position);
            here.map(|here| here.rename(&params.new_name)).transpose()
        }),
        Complete::METHOD => reply::<Complete>(request, |params| {
            let here = at(workspace, &params.text_document_position);
            Ok(here.map(|here| CompletionResponse::Array(here.completions())))
        }),
        _ => answer_on_document(workspace, client, request),
    }
}

/// Answers a request that is about a document, not about a place in it.
fn answer_on_document(workspace: &mut Workspace, client: &Client, request: Request) -> Response {
    match request.method.as_str() {
        DocumentSymbolRequest::METHOD => reply::<DocumentSymbolRequest>(request, |params| {
            let uri = params.text_document.uri;
            Ok(workspace.look_up(&uri).map(|view| view.symbols(client, &uri)))
        }),
        CodeActionRequest::METHOD => reply::<CodeActionRequest>(request, |params| {
            Ok(workspace.look_up(&params.text_document.uri).map(|view| view.fixes(&params)))
        }),
        SemanticTokensFullRequest::METHOD => {
            reply::<SemanticTokensFullRequest>(request, |params| {
                let view = workspace.look_up(&params.text_document.uri);
                Ok(view.map(|view| view.tokens(0..=u32::MAX).into()))
            })
        }
        SemanticTokensRangeRequest::METHOD => {
            reply::<SemanticTokensRangeRequest>(request, |params| {
                let view = workspace.look_up(&params.text_document.uri);
                Ok(view.map(|view| view.tokens(View::lines(params.range)).into()))
            })
        }
        InlayHintRequest::METHOD => reply::<InlayHintRequest>(request, |params| {
            let view = workspace.look_up(&params.text_document.uri);
            Ok(view.map(|view| view.hints(params.range, client.hints)))
        }),
        CodeLensRequest::METHOD => reply::<CodeLensRequest>(request, |params| {
            let uri = params.text_document.uri;
            let view = places::path(&uri).zip(workspace.look_up(&uri));
            Ok(view.map(|(path, view)| view.lenses(&path)))
        }),
        Formatting::METHOD => reply::<Formatting>(request, |params| {
            Ok(formatted(workspace, &params.text_document.uri))
        }),
        FoldingRangeRequest::METHOD => reply::<FoldingRangeRequest>(request, |params| {
            Ok(workspace.look_up(&params.text_document.uri).map(|view| view.folds()))
        }),
        _ => {
            let message = format!("unknown method `{}`", request.method);
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

/// Why a request gets no answer, in words for the user.
struct Refusal(String);

fn refused(why: impl std::fmt::Display) -> Refusal {
    Refusal(why.to_string())
}

/// Reads the parameters of a request, and answers it.
fn reply<R: lsp_types::request::Request>(
    request: Request,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Refusal>,
) -> Response {
    let id: RequestId = request.id;
    match serde_json::from_value(request.params) {
        Ok(params) => match answer(params) {
            Ok(result) => Response::new_ok(id, result),
            Err(Refusal(why)) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
        },
        Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}

/// A place that a request is about.
struct Here<'a> {
    view: View<'a>,
    offset: u32,
}

fn at<'a>(workspace: &'a mut Workspace, place: &TextDocumentPositionParams) -> Option<Here<'a>> {
    let view = workspace.look_up(&place.text_document.uri)?;
    let offset = view.offset(place.position);
    Some(Here { view, offset })
}

impl Here<'_> {
    fn locations(&self, found: Vec<gray1_asm::Location>) -> Vec<lsp_types::Location> {
        found.into_iter().filter_map(|at| self.view.location(at)).collect()
    }

    fn definitions(&self) -> Vec<lsp_types::Location> {
        self.locations(self.view.program.definitions(self.view.file, self.offset))
    }

    fn references(&self, with_definitions: bool) -> Vec<lsp_types::Location> {
        let View { program, file, .. } = self.view;
        self.locations(program.references(file, self.offset, with_definitions))
    }

    fn hover(&self) -> Option<Hover> {
        let hover = self.view.program.hover(self.view.file, self.offset)?;
        let range = Some(self.view.range(hover.span));
        Some(Hover { contents: HoverContents::Markup(markdown(hover.markdown)), range })
    }

    fn renamable(&self) -> Result<PrepareRenameResponse, Refusal> {
        let span = self.view.program.renamable(self.view.file, self.offset).map_err(refused)?;
        Ok(PrepareRenameResponse::Range(self.view.range(span)))
    }

    fn rename(&self, new: &str) -> Result<WorkspaceEdit, Refusal> {
        let View { programs, documents, .. } = self.view;
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        let found = gray1_asm::rename_in(programs, self.view.text().id(), self.offset, new);
        for (file, spans) in found.map_err(refused)? {
            for span in spans {
                let Some(location) = documents.editable(file, span) else {
                    return Err(Refusal(format!("it is used in {} too", file.name())));
                };
                let edit = TextEdit { range: location.range, new_text: new.to_owned() };
                changes.entry(location.uri).or_default().push(edit);
            }
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    fn completions(&self) -> Vec<CompletionItem> {
        let found = self.view.program.completions(self.view.file, self.offset);
        let item = |item: Completion| CompletionItem {
            kind: Some(completion_kind(item.kind)),
            detail: item.detail,
            documentation: item.documentation.map(markdown).map(Documentation::MarkupContent),
            // Clients have their own ideas of what a word is.
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: self.view.range(found.span),
                new_text: item.text.clone(),
            })),
            label: item.text,
            ..CompletionItem::default()
        };
        found.items.into_iter().map(item).collect()
    }
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Instruction | CompletionKind::Directive => CompletionItemKind::KEYWORD,
        CompletionKind::Warning => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::BuiltIn => CompletionItemKind::FUNCTION,
        CompletionKind::Argument => CompletionItemKind::PROPERTY,
        CompletionKind::Name(name) => match name {
            NameKind::Label => CompletionItemKind::EVENT,
            NameKind::Constant => CompletionItemKind::CONSTANT,
            NameKind::Variable | NameKind::Parameter => CompletionItemKind::VARIABLE,
            NameKind::Structure => CompletionItemKind::STRUCT,
            NameKind::Field => CompletionItemKind::FIELD,
            NameKind::Macro | NameKind::Routine | NameKind::Function => {
                CompletionItemKind::FUNCTION
            }
        },
    }
}

impl View<'_> {
    fn folds(&self) -> Vec<FoldingRange> {
        let range = |fold: &gray1_asm::Fold| FoldingRange {
            start_line: fold.first - 1,
            end_line: fold.last - 1,
            kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        };
        self.program.folds(self.file).iter().map(range).collect()
    }
}

/// The change that formatting makes: one range of lines. Nothing, if the document has errors; those
/// are shown already.
fn formatted(workspace: &Workspace, uri: &Uri) -> Option<Vec<TextEdit>> {
    let mut files = Files::default();
    let new = gray1_asm::format(workspace.source(uri)?, &mut files).ok()?;
    let file = files.iter().next()?;
    let old: Vec<&str> = file.text().split_inclusive('\n').collect();
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let same =
        |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut old.iter().zip(&lines));
    let tail = same(&mut old[head..].iter().rev().zip(lines[head..].iter().rev()));
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len() as u32).sum();
    let start = bytes(&old[..head]);
    let end = start + bytes(&old[head..old.len() - tail]);
    let new_text = lines[head..lines.len() - tail].concat();
    if start == end && new_text.is_empty() {
        return Some(Vec::new());
    }
    Some(vec![TextEdit { range: places::range(file, Span { start, end }), new_text }])
}
