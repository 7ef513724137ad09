import { closeSync, constants, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { ReadStream } from "node:tty";
import { codeOf } from "../../contract/error-traces.ts";

const TERMINAL_DEVICE = "/dev/tty";
/** The time between two checks for typed keys: nobody types faster. */
const LOOK_MS = 20;
const CHUNK_BYTES = 64 * 1024;

/** The keys typed at the terminal, for as long as it is open. */
export interface Keyboard extends Readable {
  /** True when keys come one by one without echo, false when lines come as the terminal edits them. */
  setRawMode(isRaw: boolean): void;
  /** Leaves later keys to other programs. */
  close(): void;
}

/** Opens the keyboard of the terminal, whatever standard input is. Throws when there is none. */
export function openKeyboard(): Keyboard {
  const descriptor = openSync(TERMINAL_DEVICE, constants.O_RDONLY | constants.O_NONBLOCK);
  // Used for its modes alone. Reading from it would continue while paused, and take keys from the next program.
  const terminal = new ReadStream(descriptor);
  const buffer = new Uint8Array(CHUNK_BYTES);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    try {
      const bytes = readSync(descriptor, buffer);
      keys.push(bytes === 0 ? null : Buffer.from(buffer.subarray(0, bytes)));
    } catch (error) {
      if (codeOf(error) === "EAGAIN") timer = setTimeout(look, LOOK_MS);
      else keys.push(null);
    }
  };
  const keys = new Readable({ read: look });
  return Object.assign(keys, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void terminal.setRawMode(isRaw),
    close() {
      clearTimeout(timer);
      keys.destroy();
      closeSync(descriptor);
    },
  });
}
