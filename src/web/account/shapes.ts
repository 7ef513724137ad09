/** Shapes of icons that the account alone has, like those of `frame/icon.tsx`. */
export const LAPTOP =
  "M6.5 5h11A1.5 1.5 0 0 1 19 6.5V13a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 13V6.5A1.5 1.5 0 0 1 6.5 5zM3 18.5h18";
export const PHONE = "M9.5 3.5h5a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2zM11 17.5h2";
export const PASSKEY =
  "M5.75 7.75a3.75 3.75 0 1 0 7.5 0 3.75 3.75 0 1 0-7.5 0zM3.5 19.5v-.75A5.25 5.25 0 0 1 8.75 13.5h1.5c.6 0 1.2.1 1.75.3M17.25 14.5v6M17.25 17.25h2M15 12.25a2.25 2.25 0 1 0 4.5 0 2.25 2.25 0 1 0-4.5 0z";
