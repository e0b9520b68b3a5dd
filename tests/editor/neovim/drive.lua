-- Drives Neovim as its user would, and writes what the user would see into result.json.

local seen = {}

--- Waits until a function has something to say.
local function await(what, find)
  local found
  local is_there = vim.wait(20000, function()
    found = find()
    return found ~= nil and found ~= false
  end, 20)
  if not is_there then
    error("waited in vain for " .. what)
  end
  return found
end

--- Puts the cursor on a text.
local function go_to(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. text, "cW") > 0, text .. " is not there")
end

--- The text of the floating window, once there is one; then it is closed.
local function float()
  return await("a floating window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local buffer = vim.api.nvim_win_get_buf(window)
        local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
        vim.api.nvim_win_close(window, true)
        return text
      end
    end
  end)
end

--- File, line and column of the cursor.
local function place()
  return vim.fn.expand("%:t") .. ":" .. vim.fn.line(".") .. ":" .. vim.fn.col(".")
end

--- The clients of the buffer.
local function clients()
  if vim.lsp.get_clients then -- 0.10
    return vim.lsp.get_clients({ bufnr = 0 })
  end
  return vim.lsp.buf_get_clients(0)
end

--- What is wrong with the buffer.
local function messages()
  return vim.tbl_map(function(found) return found.message end, vim.diagnostic.get(0))
end

local function drive()
  local main = vim.api.nvim_get_current_buf()
  await("a diagnostic", function() return #messages() > 0 end)
  seen.wrong = messages()

  -- Chooses the first code action that is offered.
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  go_to("GREN")
  vim.lsp.buf.code_action()
  await("the fix", function() return vim.fn.search("GREEN", "nw") > 0 end)
  await("no more diagnostics", function() return #messages() == 0 end)
  seen.fixed = vim.fn.getline(vim.fn.search("GREEN", "nw"))

  go_to("add_up \\*two")
  vim.lsp.buf.hover()
  seen.hover = float()

  vim.fn.cursor(vim.fn.line("."), vim.fn.col("$") - 1)
  vim.lsp.buf.signature_help()
  seen.signature = float()

  go_to("add_up \\*two")
  vim.lsp.buf.definition()
  await("the macro", function() return vim.fn.getline("."):find(".macro", 1, true) end)
  seen.definition = place()

  go_to("GREEN")
  vim.lsp.buf.definition()
  await("the library", function() return vim.api.nvim_get_current_buf() ~= main end)
  seen.built_in = {
    name = vim.fn.expand("%:t"),
    line = vim.fn.getline("."),
    readonly = vim.bo.readonly,
  }
  -- Requests also work there.
  await("the client", function() return next(clients()) end)
  vim.lsp.buf.hover()
  seen.hover_in_library = float()
  vim.api.nvim_set_current_buf(main)

  vim.lsp.buf.document_symbol()
  seen.outline = await("the outline", function()
    local list = vim.fn.getqflist()
    list = #list > 0 and list or vim.fn.getloclist(0)
    return #list > 0 and vim.tbl_map(function(entry) return entry.text end, list)
  end)
  vim.cmd("cclose | lclose")
  vim.api.nvim_set_current_buf(main)

  vim.lsp.codelens.refresh()
  local lenses = await("code lenses", function()
    local lenses = vim.lsp.codelens.get(main)
    return #lenses > 0 and lenses
  end)
  seen.lenses = vim.tbl_map(function(lens) return lens.command.title end, lenses)
  vim.fn.cursor(lenses[1].range.start.line + 1, 1)
  vim.ui.select = function(items, options, choose)
    for number, item in ipairs(items) do
      if options.format_item(item):find("test", 1, true) then
        return choose(item, number)
      end
    end
  end
  vim.lsp.codelens.run()
  seen.tests = await("the tests", function()
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return text:find("1 program") and text
  end)
  vim.cmd("bdelete!")
  vim.api.nvim_set_current_buf(main)

  -- Versions that do not display semantic tokens can still request them.
  local params = { textDocument = vim.lsp.util.make_text_document_params(main) }
  local answers = vim.lsp.buf_request_sync(main, "textDocument/semanticTokens/full", params, 20000)
  for _, answer in pairs(answers) do
    seen.token_numbers = #answer.result.data
  end
  if vim.lsp.semantic_tokens then
    seen.token = await("semantic tokens", function()
      local tokens = vim.lsp.semantic_tokens.get_at_pos(main, vim.fn.search("^start", "nw") - 1, 0)
      return tokens and tokens[1] and tokens[1].type
    end)
  end

  vim.api.nvim_buf_set_lines(main, -1, -1, false, { "jmp start" })
  local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
  format()
  seen.formatted = vim.api.nvim_buf_get_lines(main, -2, -1, false)[1]
end

local is_well, failure = xpcall(drive, debug.traceback)
if not is_well then
  seen.failure = failure
end
vim.fn.writefile({ vim.fn.json_encode(seen) }, "result.json")
vim.cmd("qall!")
