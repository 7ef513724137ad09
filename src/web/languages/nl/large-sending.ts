import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Elk deel wordt versleuteld voordat het vertrekt. Houd dit tabblad open. Valt de verbinding weg of slaapt het apparaat, dan gaat het daarna verder.",
    rate: (size) => `${size}/s`,
    line: {
      title: "De server is niet bereikbaar",
      text: "Het gaat op dezelfde plek verder zodra de verbinding terug is. Houd dit tabblad open.",
    },
    server: {
      title: "Wachten op de server",
      text: "De server is niet beschikbaar. Het gaat op dezelfde plek verder zodra dat kan. Houd dit tabblad open.",
    },
    storage: {
      title: "Wachten op de server",
      text: "De server kan nu niets opslaan: misschien is de schijf vol. Het gaat op dezelfde plek verder zodra dat kan. Houd dit tabblad open.",
    },
    tryNow: "Nu proberen",
    stopped: "U hebt geannuleerd, dus er is geen link. De server verwijdert wat is aangekomen, uiterlijk na een dag.",
    ended:
      "De server heeft het verzenden beëindigd, dus er is geen link. Wat u hebt gekozen staat er nog: verstuur het opnieuw.",
    stoppedHandIn:
      "Je hebt geannuleerd, dus er is niets aangeleverd. De server verwijdert wat is aangekomen, uiterlijk na een dag.",
    maybeHandedIn:
      "Je hebt geannuleerd, maar misschien is het al aangeleverd. Vraag het aan de persoon die erom vroeg.",
    endedHandIn:
      "De server heeft de upload beëindigd, dus er is niets aangeleverd. Wat je hebt gekozen is er nog: lever het opnieuw aan.",
  },
});
