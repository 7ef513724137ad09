import { createContext } from "preact";
import type { ComponentChildren } from "preact";

/** Sets what the bar shows of an account. Only the screens of people who are signed in have that part of the bar. */
export const AccountContext = createContext<(account: ComponentChildren) => void>(() => undefined);
