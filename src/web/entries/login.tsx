import { start } from "../main.tsx";
import { LoginPage } from "../pages/login-page.tsx";

start(() => <LoginPage />);
