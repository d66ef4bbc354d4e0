package import Foundation

/// A small property list with a dictionary at its root: `.xccurrentversion` or `VersionInfo.plist`.
package struct PropertyListFile {
    package let root: [String: Any]

    package init(_ data: Data, path: String) throws {
        do {
            guard let root = try ForeignPropertyList.object(data) as? [String: Any] else {
                throw ModelFileError("", .malformedPropertyList("its root is no dictionary"))
            }
            self.root = root
        } catch let error as ModelFileError {
            throw ModelFileError(path, error.reason)
        } catch {
            throw ModelFileError(path, .malformedPropertyList(error.localizedDescription))
        }
    }
}
