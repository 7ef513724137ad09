/** A time after a verb: a date takes the preposition, "hoje" and "há 5 minutos" do not. */
export const dated = (when: string) => (/^(\d|seg|ter|qua|qui|sex|sáb|dom)/.test(when) ? `em ${when}` : when);

/** A time of day with its preposition, which is singular at one o'clock. */
export const atTime = (time: string) => (/^0?1\D/.test(time) ? `à ${time}` : `às ${time}`);
