import { start } from "../main.tsx";
import { HomePage, isPurpose } from "../pages/home-page.tsx";

start(({ kind }) => <HomePage purpose={isPurpose(kind) ? kind : "send"} />);
