import type { Credential } from "../contract/credentials.ts";
import type { HttpClient } from "./http-client.ts";
import { parseCredential } from "./shapes.ts";

/** Gets what the server knows about the client's credential, and the limits that apply. Throws ClientError. */
export async function getCredential(client: HttpClient): Promise<Credential> {
  return parseCredential(await client.call("getCredential"));
}
