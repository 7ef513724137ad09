import { UserError } from "../contract/user-errors.ts";

/** A setting is wrong. The message names it and says what is expected. */
export class SettingsError extends UserError {
  override readonly name = "SettingsError";

  constructor(message: string) {
    super("usage", message);
  }
}
