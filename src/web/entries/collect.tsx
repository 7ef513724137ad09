import { start } from "../main.tsx";
import { CollectPage } from "../pages/collect-page.tsx";

start(({ id }) => <CollectPage id={id} />);
