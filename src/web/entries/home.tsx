import { start } from "../main.tsx";
import { HomePage } from "../pages/home-page.tsx";
import { SignInPage } from "../pages/sign-in-page.tsx";

start(({ kind }) => {
  switch (kind) {
    case "sign-in":
      return <SignInPage />;
    case "ask":
    case "activity":
    case "about":
      return <HomePage purpose={kind} />;
    // The other kinds have entries of their own.
    case "home":
    case "secret":
    case "request":
    case "collect":
      return <HomePage purpose="send" />;
  }
});
