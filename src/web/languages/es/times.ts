/** A time after a verb or "hasta": a date takes the article, "hoy" and "hace 5 minutos" do not. */
export const dated = (when: string) => (/^(\d|lun|mar|mié|jue|vie|sáb|dom)/.test(when) ? `el ${when}` : when);

/** A time of day with its preposition, which is singular at one o'clock. */
export const atTime = (time: string) => (/^0?1\D/.test(time) ? `a la ${time}` : `a las ${time}`);
