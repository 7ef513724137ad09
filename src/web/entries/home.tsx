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
    // Other kinds have their own entries.
    case "home":
    case "secret":
    case "request":
    case "collect":
      return <HomePage purpose="send" />;
  }
});
