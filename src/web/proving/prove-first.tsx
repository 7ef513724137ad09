import { useEffect, useState } from "preact/hooks";
import { LoadingScreen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { PAGE } from "../texts/page.ts";
import type { ProveProps } from "./proofs.ts";

/** The part of a screen that asks for the proof of an address. Few links need it, so it is loaded when one does. */
export function ProveFirst(props: ProveProps) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof load>> | undefined>(undefined);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    load().then(setPart, () => setComplaint(PAGE.failed.stale));
  }, []);
  if (part) return <part.ProveAddress {...props} />;
  return complaint === "" ? <LoadingScreen /> : <Complaint text={complaint} />;
}

const load = () => import("./prove-address.tsx");
