/** A time of day with its preposition, which is singular at one o'clock. */
export const atTime = (time: string) => (/^0?1\D/.test(time) ? `à ${time}` : `às ${time}`);
