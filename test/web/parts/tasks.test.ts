import { expect, test } from "bun:test";
import { useOnce, useTask } from "../../../src/web/parts/tasks.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const describe = (error: unknown) => `sorry: ${String(error)}`;

test("a form shows its progress, and then the complaint", async () => {
  using task = useHere(() => useTask(describe));
  expect(task.current()).toMatchObject({ progress: "", complaint: "" });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const run = task.current().run(async (say) => {
    say("Encrypting");
    return promise;
  });
  await untilQuiet();
  expect(task.current()).toMatchObject({ progress: "Encrypting", complaint: "" });
  resolve("Choose a file.");
  await run;
  await untilQuiet();
  expect(task.current()).toMatchObject({ progress: "", complaint: "Choose a file." });
});

test("an error is described, and cleared by the next run", async () => {
  using task = useHere(() => useTask(describe));
  await task.current().run(() => Promise.reject(new Error("no")));
  await untilQuiet();
  expect(task.current().complaint).toBe("sorry: Error: no");
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const run = task.current().run(() => promise);
  await untilQuiet();
  expect(task.current().complaint).toBe("");
  resolve(undefined);
  await run;
  expect(task.current()).toMatchObject({ progress: "", complaint: "" });
});

test("a second click is ignored during a run, even within one frame", async () => {
  using task = useHere(() => useTask(describe));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let count = 0;
  const work = async () => {
    count++;
    return promise;
  };
  const { run } = task.current();
  const first = run(work);
  await run(work);
  await task.current().run(work);
  expect(count).toBe(1);
  resolve(undefined);
  await first;
  await task.current().run(work);
  expect(count).toBe(2);
});

test("the same inputs are sent under one key until they arrive, and other inputs under another", async () => {
  using once = useHere(() => useOnce<object>());
  const make = async () => ({});
  const file = new Blob();
  const first = await once.current()([file, "1d"], make);
  expect(await once.current()([file, "1d"], make)).toBe(first);
  const other = await once.current()([file, "2d"], make);
  expect(other.value).not.toBe(first.value);
  expect(other.idempotencyKey).not.toBe(first.idempotencyKey);
  other.done();
  const again = await once.current()([file, "2d"], make);
  expect(again.idempotencyKey).not.toBe(other.idempotencyKey);
});

test("a value that failed to be made is made again", async () => {
  using once = useHere(() => useOnce<number>());
  expect(
    await once
      .current()(["a"], () => Promise.reject(new Error("no")))
      .catch(() => "no"),
  ).toBe("no");
  expect((await once.current()(["a"], async () => 2)).value).toBe(2);
});
