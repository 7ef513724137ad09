import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LoadingScreen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { PAGE } from "../texts/page.ts";

/** Loads a part of a screen, which few links need, and shows it. `show` makes it of what was loaded. */
export function LaterPart<Part>(props: { readonly load: () => Promise<Part>; readonly show: (part: Part) => VNode }) {
  const [part, setPart] = useState<Part | undefined>(undefined);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    props.load().then(setPart, () => setComplaint(PAGE.failed.stale));
  }, []);
  if (part) return props.show(part);
  return complaint === "" ? <LoadingScreen /> : <Complaint text={complaint} />;
}
