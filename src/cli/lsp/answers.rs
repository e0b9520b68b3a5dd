//! Requests and their answers.

use std::collections::HashMap;

use gray1_asm::{Analysis, Completion, CompletionKind, File, FileId, Files, NameKind, Span};
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::request::{
    Completion as Complete, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    PrepareRenameRequest, References, Rename, Request,
};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionOptions, CompletionResponse, CompletionTextEdit,
    Documentation, FoldingRange, FoldingRangeKind, GotoDefinitionResponse, Hover, HoverContents,
    InitializeResult, MarkupContent, MarkupKind, OneOf, PrepareRenameResponse, RenameOptions,
    ServerCapabilities, ServerInfo, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, Uri, WorkspaceEdit,
};

use super::documents::Documents;
use super::workspace::Workspace;
use super::{diagnostics, places};

/// What the server can do.
pub(super) fn initialized() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        // Sources are short: the whole text costs less than to keep count of its pieces.
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "@".to_owned()]),
            ..CompletionOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        ..ServerCapabilities::default()
    };
    let server_info = ServerInfo {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
    };
    InitializeResult { capabilities, server_info: Some(server_info) }
}

/// Answers a request.
pub(super) fn answer(workspace: &mut Workspace, request: lsp_server::Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => reply::<HoverRequest>(request, |params| {
            let place = params.text_document_position_params;
            Ok(at(workspace, &place).and_then(|here| here.hover()))
        }),
        GotoDefinition::METHOD => reply::<GotoDefinition>(request, |params| {
            let place = params.text_document_position_params;
            Ok(at(workspace, &place).map(|here| {
                let found = here.program.definitions(here.file, here.offset);
                GotoDefinitionResponse::Array(here.locations(found))
            }))
        }),
        References::METHOD => reply::<References>(request, |params| {
            let with_definitions = params.context.include_declaration;
            Ok(at(workspace, &params.text_document_position).map(|here| {
                here.locations(here.program.references(here.file, here.offset, with_definitions))
            }))
        }),
        PrepareRenameRequest::METHOD => reply::<PrepareRenameRequest>(request, |params| {
            let Some(here) = at(workspace, &params) else { return Ok(None) };
            let span = here.program.renamable(here.file, here.offset).map_err(refused)?;
            Ok(Some(PrepareRenameResponse::Range(places::range(here.text(), span))))
        }),
        Rename::METHOD => {
            reply::<Rename>(request, |params| match at(workspace, &params.text_document_position) {
                Some(here) => here.rename(&params.new_name).map(Some),
                None => Ok(None),
            })
        }
        Complete::METHOD => reply::<Complete>(request, |params| {
            let here = at(workspace, &params.text_document_position);
            Ok(here.map(|here| CompletionResponse::Array(here.completions())))
        }),
        Formatting::METHOD => reply::<Formatting>(request, |params| {
            Ok(formatted(workspace, &params.text_document.uri))
        }),
        FoldingRangeRequest::METHOD => reply::<FoldingRangeRequest>(request, |params| {
            let found = workspace.look_up(&params.text_document.uri);
            Ok(found.map(|(program, file, _)| folds(program, file)))
        }),
        _ => {
            let message = format!("`{}` is not known here", request.method);
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
fn reply<R: Request>(
    request: lsp_server::Request,
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
    program: &'a Analysis,
    documents: &'a Documents,
    file: FileId,
    offset: u32,
}

fn at<'a>(workspace: &'a mut Workspace, place: &TextDocumentPositionParams) -> Option<Here<'a>> {
    let (program, file, documents) = workspace.look_up(&place.text_document.uri)?;
    let offset = places::offset(program.files.get(file), place.position);
    Some(Here { program, documents, file, offset })
}

impl Here<'_> {
    fn text(&self) -> &File {
        self.program.files.get(self.file)
    }

    fn locations(&self, found: Vec<gray1_asm::Location>) -> Vec<lsp_types::Location> {
        let location = |at| diagnostics::location(self.program, self.documents, at);
        found.into_iter().filter_map(location).collect()
    }

    fn hover(&self) -> Option<Hover> {
        let hover = self.program.hover(self.file, self.offset)?;
        let range = Some(places::range(self.text(), hover.span));
        Some(Hover { contents: HoverContents::Markup(markdown(hover.markdown)), range })
    }

    fn rename(&self, new: &str) -> Result<WorkspaceEdit, Refusal> {
        let places = self.program.rename(self.file, self.offset, new).map_err(refused)?;
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for place in places {
            let location = diagnostics::location(self.program, self.documents, place);
            let Some(location) = location else {
                let file = self.program.files.get(place.file);
                return Err(Refusal(format!("it stands in {} too", file.name())));
            };
            let edit = TextEdit { range: location.range, new_text: new.to_owned() };
            changes.entry(location.uri).or_default().push(edit);
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    fn completions(&self) -> Vec<CompletionItem> {
        let found = self.program.completions(self.file, self.offset);
        let item = |item: Completion| CompletionItem {
            kind: Some(completion_kind(item.kind)),
            detail: item.detail,
            documentation: item.documentation.map(markdown).map(Documentation::MarkupContent),
            // Clients have their own ideas of what a word is.
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: places::range(self.text(), found.span),
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

fn folds(program: &Analysis, file: FileId) -> Vec<FoldingRange> {
    let folds = program.folds(file).iter();
    let range = |fold: &gray1_asm::Fold| FoldingRange {
        start_line: fold.first - 1,
        end_line: fold.last - 1,
        kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
        ..FoldingRange::default()
    };
    folds.map(range).collect()
}

/// What formatting changes: one range of lines. Nothing, if the document has errors; those are
/// shown already.
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
