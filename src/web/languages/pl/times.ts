/** The days of the week after "do", by the names that stand alone. */
const AFTER_DO: Readonly<Record<string, string>> = {
  poniedziałek: "poniedziałku",
  wtorek: "wtorku",
  środa: "środy",
  czwartek: "czwartku",
  piątek: "piątku",
  sobota: "soboty",
  niedziela: "niedzieli",
};

/** A day with its preposition, which is "we" before "wtorek". */
export const onDay = (day: string) => (/^wt[.o]/.test(day) ? `we ${day}` : `w ${day}`);

/** A long date after "do": "do poniedziałku, 30 listopada". */
export const untilDay = (date: string) => {
  const day = /^\p{L}+/u.exec(date)?.[0];
  return day === undefined ? `do ${date}` : `do ${AFTER_DO[day] ?? day}${date.slice(day.length)}`;
};
