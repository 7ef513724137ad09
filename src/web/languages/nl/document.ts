import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Dutch. */
export const texts: typeof english = {
  noScript: {
    title: "Deze pagina heeft JavaScript nodig",
    text: "Zet JavaScript aan om in je browser te ontsleutelen en laad de pagina opnieuw. Of open de link in een recente Chrome, Edge, Firefox of Safari.",
  },
  late: {
    title: "Deze pagina is nog niet geladen",
    text: "Een deel is nog onderweg of is niet aangekomen. Laad de pagina opnieuw. Helpt dat niet, dan blokkeert misschien iets het JavaScript: open de link in een andere browser.",
  },
  nowhere: {
    title: "Op dit adres is niets",
    text: "Misschien zit er een typefout in of ontbreekt er een stuk. Kopieer de hele link opnieuw.",
    start: "Naar de startpagina",
  },
  mailOff: {
    title: "Deze mails uitschakelen?",
    text: "Ze vertellen wat er gebeurt met wat je verstuurt en vraagt.",
    button: "Uitschakelen",
  },
  mailIsOff: { title: "Deze mails staan uit", text: "Je kunt ze in je account weer inschakelen." },
  mailOffStale: {
    title: "Deze link schakelt niets uit",
    text: "Hij is onvolledig, of deze mails zijn intussen weer ingeschakeld. Gebruik de link in de nieuwste mail, of kies in je account.",
  },
};
