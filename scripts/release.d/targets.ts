/** An executable of a release. */
export interface Target {
  /** The system and the processor, as in the name of the file. */
  readonly name: string;
  /** Bun's name for it, of `bun build --target`. */
  readonly bunTarget: string;
  /** The package of npm that has its Bun, without `@oven/bun-`. */
  readonly runtime: string;
  /** The end of the file's name, where the system needs one. */
  readonly suffix?: string;
  /** The names of the processor in packages; undefined when it goes into none. Those of Debian are those of images. */
  readonly packages?: { readonly deb: string; readonly rpm: string };
}

export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    bunTarget: "bun-linux-x64",
    runtime: "linux-x64",
    packages: { deb: "amd64", rpm: "x86_64" },
  },
  {
    name: "linux-arm64",
    bunTarget: "bun-linux-arm64",
    runtime: "linux-aarch64",
    packages: { deb: "arm64", rpm: "aarch64" },
  },
  { name: "linux-x64-musl", bunTarget: "bun-linux-x64-musl", runtime: "linux-x64-musl" },
  { name: "linux-arm64-musl", bunTarget: "bun-linux-arm64-musl", runtime: "linux-aarch64-musl" },
  { name: "darwin-x64", bunTarget: "bun-darwin-x64", runtime: "darwin-x64" },
  { name: "darwin-arm64", bunTarget: "bun-darwin-arm64", runtime: "darwin-aarch64" },
  { name: "windows-x64", bunTarget: "bun-windows-x64", runtime: "windows-x64", suffix: ".exe" },
];
