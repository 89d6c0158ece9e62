/** The error of the studio for reasons that the user can see and change: files, addresses, memory, blocked features of the browser. */
import { CastorError } from "castor";

export class StudioError extends CastorError {
  override readonly name = "StudioError";
  override readonly code = "studio";
}
