import { start } from "../main.tsx";
import { SubmitPage } from "../pages/submit-page.tsx";

start(({ id }) => <SubmitPage id={id} />);
