import { CommandError } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

const PROGRAMS: readonly { readonly command: readonly string[]; readonly needs: string | undefined }[] = [
  { command: ["pbcopy"], needs: undefined },
  { command: ["wl-copy"], needs: "WAYLAND_DISPLAY" },
  { command: ["xclip", "-selection", "clipboard"], needs: "DISPLAY" },
  { command: ["xsel", "--clipboard", "--input"], needs: "DISPLAY" },
  { command: ["clip.exe"], needs: undefined },
];

/** A desktop that doesn't answer must not delay the command. */
const TIMEOUT_MS = 2000;

/**
 * Copies `text` by a desktop program or OSC 52. Returns a sentence for the user. Throws CommandError when neither
 * works.
 */
export function copyToClipboard(terminal: Terminal, text: string): string {
  for (const { command, needs } of PROGRAMS) {
    const [name = "", ...args] = command;
    const path = needs === undefined || terminal.env[needs] ? Bun.which(name) : null;
    // Through standard input, so that it is in no process list.
    if (
      path &&
      Bun.spawnSync([path, ...args], {
        stdin: Buffer.from(text),
        stdout: "ignore",
        stderr: "ignore",
        timeout: TIMEOUT_MS,
      }).success
    ) {
      return "The link is in the clipboard.";
    }
  }
  if (!terminal.isTerminal.err) throw new CommandError("--copy: there is no clipboard here. The link was printed");
  terminal.show(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  return "The link is in the clipboard, if this terminal lets programs put it there.";
}
