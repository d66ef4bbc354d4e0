import CoreData
import Foundation

extension URL {
    /// Makes the place of a store of an argument: a path, or the URL of a database.
    package init(store argument: String) throws(ToolError) {
        guard ["postgresql://", "postgres://"].contains(where: argument.hasPrefix) else {
            self.init(fileURLWithPath: argument)
            return
        }
        guard let url = URL(string: argument) else {
            // Without the argument, which may contain a password.
            throw ToolError(
                "the URL of the database cannot be read: several hosts are written as ?host=a,b&port=5432,5433"
            )
        }
        self = url
    }

    /// The place of a store as a text for people: a path, or a URL without user and password.
    package var place: String { isFileURL ? path : shown }
}
