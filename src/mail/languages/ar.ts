import type { MailTexts } from "./texts.ts";

export const AR: MailTexts = {
  language: "ar",
  direction: "rtl",
  subject: "رمزك لـ {server}",
  asked: "طلب شخص ما رمزًا لتسجيل الدخول إلى {server} بهذا العنوان.",
  browser: "طُلب من:",
  code: "رمزك:",
  codeOfTeam: "رمزك لفريق {team}:",
  validity: "يعمل مرة واحدة، لمدة {minutes} دقائق، في المتصفح الذي طلبه.",
  warning: "لن يطلب منك أحد هذا الرمز أبدًا. لا تكتبه إلا في صفحة {server}.",
  ignore: "إذا لم تطلبه، فتجاهل هذه الرسالة. لا يمكن لأحد تسجيل الدخول من دون الرمز.",
};
