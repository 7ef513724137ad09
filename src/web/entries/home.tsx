import { start } from "../main.tsx";
import { HomePage } from "../pages/home-page.tsx";

start(({ kind }) => <HomePage purpose={kind === "ask" || kind === "activity" || kind === "about" ? kind : "send"} />);
