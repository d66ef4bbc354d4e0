import Foundation

/// A small property list with a dictionary at its root: `.xccurrentversion`, `VersionInfo.plist`.
struct PropertyListFile {
    let root: [String: Any]

    init(_ data: Data, path: String) throws {
        do {
            let value = try PropertyListSerialization.propertyList(from: data, format: nil)
            guard let root = value as? [String: Any] else {
                throw ModelFileError(path, .malformedPropertyList("its root is no dictionary"))
            }
            self.root = root
        } catch let error as ModelFileError {
            throw error
        } catch {
            throw ModelFileError(path, .malformedPropertyList(error.localizedDescription))
        }
    }
}
