import Foundation

/// A store, as metrics and traces name it: short, and without the names of users and their folders.
package struct StoreMark: Hashable, Sendable {
    /// The name of its file, or of its database and schema; its type if it is in neither.
    package let name: String
    /// The name of the database system, such as `sqlite`; the type of a store that is in none.
    package let system: String

    init(_ store: NSPersistentStore) {
        let type = store.type
        name = store.url.flatMap { $0.isNowhere ? nil : Self.name($0) } ?? type
        system =
            switch type {
            case NSSQLiteStoreType: "sqlite"
            case PostgreSQLStoreType: "postgresql"
            default: type
            }
    }

    /// Makes the mark of a database from its place, as its driver names it.
    init(place: String) {
        let url = place.contains("://") ? URL(string: place) : nil
        name = Self.name(url ?? URL(fileURLWithPath: place, isDirectory: false))
        system = url == nil ? "sqlite" : "postgresql"
    }

    private static func name(_ url: URL) -> String {
        let name = url.lastPathComponent
        guard !url.isFileURL, let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let schema = parts.queryItems?.first(where: { $0.name == "schema" })?.value
        else { return name }
        return "\(name).\(schema)"
    }
}
