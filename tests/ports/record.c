// record.exe FILE COMMAND: runs a command in this console, and writes its output to a file.
//
// Wine's console does not understand escape sequences: it shows them. Here the program's output is
// a pipe whose name is that of a Cygwin terminal, so that the program takes it for a terminal.
#include <stdio.h>
#include <windows.h>

// The program handles ctrl-C.
static BOOL WINAPI go_on(DWORD event) { return event == CTRL_C_EVENT; }

int main(int count, char **words) {
  if (count != 3) return 2;
  SetConsoleCtrlHandler(go_on, TRUE);
  char name[80];
  snprintf(name, sizeof name, "\\\\.\\pipe\\cygwin-%lu-pty0-to-master", GetCurrentProcessId());
  HANDLE reader =
      CreateNamedPipeA(name, PIPE_ACCESS_INBOUND, PIPE_TYPE_BYTE, 1, 1 << 16, 1 << 16, 0, NULL);
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE writer = CreateFileA(name, GENERIC_WRITE, 0, &inherited, OPEN_EXISTING, 0, NULL);
  FILE *file = fopen(words[1], "wb");
  if (reader == INVALID_HANDLE_VALUE || writer == INVALID_HANDLE_VALUE || !file) return 2;

  STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = writer;
  start.hStdError = writer;
  PROCESS_INFORMATION child;
  if (!CreateProcessA(NULL, words[2], NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 2;
  CloseHandle(writer);

  char bytes[4096];
  DWORD length, status;
  while (ReadFile(reader, bytes, sizeof bytes, &length, NULL) && length > 0) {
    fwrite(bytes, 1, length, file);
    fflush(file);
  }
  fclose(file);
  WaitForSingleObject(child.hProcess, INFINITE);
  GetExitCodeProcess(child.hProcess, &status);
  return (int)status;
}
