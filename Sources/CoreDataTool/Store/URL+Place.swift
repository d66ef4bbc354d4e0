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

    /// A short name of a store for people: that of its file, or of its schema, or of its database.
    package var storeName: String {
        if isFileURL { return lastPathComponent }
        let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let names = [items.first { $0.name == "schema" }?.value ?? "", lastPathComponent]
        return names.first { !$0.isEmpty && $0 != "/" } ?? place
    }
}
