import { start } from "../main.tsx";
import { HomePage } from "../pages/home-page.tsx";

start(({ kind }) => (
  <HomePage purpose={kind === "ask" || kind === "activity" || kind === "account" || kind === "about" ? kind : "send"} />
));
