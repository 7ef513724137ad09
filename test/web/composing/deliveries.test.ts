import { expect, test } from "bun:test";
import { useDelivery } from "../../../src/web/composing/deliveries.ts";
import type { Deliverer } from "../../../src/web/composing/deliveries.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const OPTIONS = {
  describe: (error: unknown) => `failed: ${String(error)}`,
  canceled: { before: "nothing was sent", after: "it may have arrived" },
};

/** Work that goes on until the test ends or cancels it. */
function hold() {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const held: { deliverer?: Deliverer } = {};
  const work = (deliverer: Deliverer) => {
    held.deliverer = deliverer;
    deliverer.signal.addEventListener("abort", () => reject(new Error("aborted")));
    return promise;
  };
  return { work, held, resolve };
}

test("an upload is reported from its first byte on, with its progress", async () => {
  using delivery = useHere(() => useDelivery(OPTIONS));
  const { work, held, resolve } = hold();
  const run = delivery.current().run(work);
  await untilQuiet();
  expect(delivery.current().stage).toEqual({ kind: "encrypting" });
  held.deliverer?.beginSending();
  await untilQuiet();
  expect(delivery.current().stage).toMatchObject({ kind: "sending", part: 0 });
  held.deliverer?.onUpload(25, 100);
  await untilQuiet();
  expect(delivery.current().stage).toMatchObject({ kind: "sending", part: 0.25 });
  resolve("a complaint");
  await run;
  await untilQuiet();
  expect(delivery.current()).toMatchObject({ stage: undefined, complaint: "a complaint" });
  delivery.current().clear();
  await untilQuiet();
  expect(delivery.current().complaint).toBe("");
});

test("canceled before its first byte, content has not arrived; canceled later, it may have", async () => {
  using delivery = useHere(() => useDelivery(OPTIONS));
  for (const isSent of [false, true]) {
    const { work, held } = hold();
    const run = delivery.current().run(work);
    await untilQuiet();
    if (isSent) held.deliverer?.beginSending();
    delivery.current().cancel();
    await run;
    await untilQuiet();
    expect(delivery.current().complaint).toBe(isSent ? "it may have arrived" : "nothing was sent");
  }
});

test("content that is canceled during encryption is not sent afterwards", async () => {
  using delivery = useHere(() => useDelivery(OPTIONS));
  let isSent = false;
  const encrypted = Promise.withResolvers<void>();
  const run = delivery.current().run(async ({ beginSending }) => {
    await encrypted.promise;
    beginSending();
    isSent = true;
    return undefined;
  });
  await untilQuiet();
  delivery.current().cancel();
  encrypted.resolve();
  await run;
  await untilQuiet();
  expect(isSent).toBe(false);
  expect(delivery.current().complaint).toBe("nothing was sent");
});

test("a canceled upload is undone once it has ended: at once when incomplete, else with its answer", async () => {
  const undone: string[] = [];
  const after = async () => `undone ${undone.push("once")}`;
  using delivery = useHere(() => useDelivery({ ...OPTIONS, canceled: { before: "nothing was sent", after } }));
  const part = hold();
  let run = delivery.current().run(part.work);
  await untilQuiet();
  part.held.deliverer?.beginSending();
  part.held.deliverer?.onUpload(99, 100);
  delivery.current().cancel();
  await run;
  await untilQuiet();
  expect(delivery.current().complaint).toBe("undone 1");

  const answered = Promise.withResolvers<void>();
  let whole: Deliverer | undefined;
  run = delivery.current().run(async (deliverer) => {
    whole = deliverer;
    await answered.promise;
    deliverer.endSending();
    return undefined;
  });
  await untilQuiet();
  whole?.beginSending();
  whole?.onUpload(100, 100);
  delivery.current().cancel();
  await untilQuiet();
  expect(delivery.current().stage).toEqual({ kind: "canceling" });
  expect([whole?.signal.aborted, undone.length]).toEqual([false, 1]);
  answered.resolve();
  await run;
  await untilQuiet();
  expect(delivery.current()).toMatchObject({ stage: undefined, complaint: "undone 2" });
});

test("other failures are described as such", async () => {
  using delivery = useHere(() => useDelivery(OPTIONS));
  await delivery.current().run(() => Promise.reject(new Error("no")));
  await untilQuiet();
  expect(delivery.current().complaint).toBe("failed: Error: no");
});
