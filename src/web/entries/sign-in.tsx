import { start } from "../main.tsx";
import { SignInPage } from "../pages/sign-in-page.tsx";

start(() => <SignInPage />);
