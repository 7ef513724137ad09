import { start } from "../main.tsx";
import { OpenPage } from "../pages/open-page.tsx";

start(({ id }) => <OpenPage id={id} />);
