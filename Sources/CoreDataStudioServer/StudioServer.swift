#if Studio
package import CoreDataStudioInterface
import Hummingbird

/// The server before a studio: it takes requests of this machine only, and only those of the studio's own page.
package struct StudioServer: Sendable {
    private let handler: StudioHandler

    package init(_ handler: @escaping StudioHandler) {
        self.handler = handler
    }
}
#endif
