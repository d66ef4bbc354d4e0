#if SyncServer
import CoreDataSyncServer
import Foundation
import Hummingbird
import NIOCore

/// What is known of a request on its way to a route.
struct SyncContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whose token came with it.
    var caller: Caller?
    /// Where the connection comes from; with a proxy in front, the proxy's.
    let address: String
    /// The connection, or its stream.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }

    /// Returns the caller of a route behind the token rule.
    func authenticated() throws -> Caller {
        guard let caller else { throw Answer(401, "a token is missing") }
        return caller
    }

    /// Returns the zone that the path names.
    func zone() throws -> ZoneName {
        let caller = try authenticated()
        guard let text = parameters.get("zone")?.removingPercentEncoding,
            let zone = ZoneName(text, caller: caller.user)
        else { throw Answer(400, "the path has no name of a zone") }
        return zone
    }
}
#endif
