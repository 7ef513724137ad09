import { openUploads } from "../../support/uploads.ts";
import { describeUploads } from "../conformance/uploads.ts";

describeUploads(openUploads);
