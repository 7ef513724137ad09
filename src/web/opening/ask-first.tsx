import { useEffect, useState } from "preact/hooks";
import { LoadingScreen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { PAGE } from "../texts/page.ts";
import type { AskProps } from "./ask-props.ts";

/** The screens that ask for approval, and wait for it. Few links need them, so they are loaded when one does. */
export function AskFirst(props: AskProps) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof load>> | undefined>(undefined);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    load().then(setPart, () => setComplaint(PAGE.failed.stale));
  }, []);
  if (part) return <part.AskApproval {...props} />;
  return complaint === "" ? <LoadingScreen /> : <Complaint text={complaint} />;
}

const load = () => import("./ask-approval.tsx");
