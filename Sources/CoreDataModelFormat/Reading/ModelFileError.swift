/// The error for a model file that cannot be read or written, with the reason.
package struct ModelFileError: Error, Sendable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        case unreadable(String)
        case unwritable(String)
        /// Another program has changed the file since it was read.
        case overtaken
        /// The name or content does not belong to a model package or file.
        case notAModel(String)
        /// The name or content does not belong to a mapping model.
        case notAMapping(String)
        /// The model has `elements` and `layout` archives instead of `contents` (xcdatamodel §1).
        case xcode3Model
        case malformedXML(String)
        /// The text form of a model has a mistake.
        case malformedText(String)
        case malformedPropertyList(String)
        case malformedArchive(String)
        /// The file describes more than `ModelBounds` allows.
        case excessive(String)
        case noVersions
        case missingCurrentVersion(named: String?)
        /// The compiled form cannot express an expression or predicate.
        case inexpressible(String)
        /// A mapping names a model that was not found.
        case missingModel(String)
        /// A mapping does not fit its models.
        case unmappable(String)
    }

    package let path: String
    package let line: Int?
    package let column: Int?
    package let reason: Reason

    package init(_ path: String, _ reason: Reason, line: Int? = nil, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
        self.reason = reason
    }

    package var description: String {
        let location = ([path] + [line, column].compactMap { $0 }.map(String.init)).joined(separator: ":")
        return location.isEmpty ? explanation : "\(location): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .unreadable(let detail): "cannot be read: \(detail)"
        case .unwritable(let detail): "cannot be written: \(detail)"
        case .overtaken: "has been changed by another program since it was read"
        case .notAModel(let detail): "is no model: \(detail)"
        case .notAMapping(let detail): "is no mapping model: \(detail)"
        case .xcode3Model:
            "the model is in the binary format of Xcode 3; open and save it once in Xcode 4 or later"
        case .malformedXML(let detail): "malformed XML: \(detail)"
        case .malformedText(let detail): detail
        case .malformedPropertyList(let detail): "malformed property list: \(detail)"
        case .malformedArchive(let detail): "malformed model archive: \(detail)"
        case .excessive(let detail): "is no model: it has \(detail)"
        case .noVersions: "the package contains no model version"
        case .missingCurrentVersion(let name?): "the current version \"\(name)\" is not in the package"
        case .missingCurrentVersion(nil):
            "the package has several versions and no .xccurrentversion that names the current one"
        case .inexpressible(let detail): "cannot be compiled: \(detail)"
        case .missingModel(let path):
            "the model \"\(path)\" is neither near the mapping nor among the models given"
        case .unmappable(let detail): "does not fit its models: \(detail)"
        }
    }

    /// Returns the error with the path of the file, for errors thrown by code that knows only the bytes. An
    /// error that already has a path keeps it.
    package func inFile(_ file: String) -> ModelFileError {
        path.isEmpty ? ModelFileError(file, reason, line: line, column: column) : self
    }
}
