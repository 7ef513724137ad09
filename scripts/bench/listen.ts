import { argv } from "node:process";

// `bun listen.ts PORT COUNT`, with a key in BENCH_TOKEN: opens so many streams of events, says "open", and reads them.

const [port = "", streams = ""] = argv.slice(2);
const call = `GET /api/v1/events?after=now HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${process.env["BENCH_TOKEN"]}\r\n\r\n`;
let waiting = Number(streams);
for (let opened = 0; opened < Number(streams); opened++) {
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      data(own, chunk) {
        if (own.data.isOpen) return;
        own.data.isOpen = true;
        if (!chunk.toString().startsWith("HTTP/1.1 200")) throw new Error(chunk.toString().slice(0, 100));
        if (--waiting === 0) console.log("open");
      },
    },
    data: { isOpen: false },
  });
  socket.write(call);
}
