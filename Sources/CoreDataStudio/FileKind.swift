import CoreDataTool
package import Foundation

/// The kinds of files that the studio opens.
package enum FileKind: Sendable, Hashable {
    /// The source of a model, which can be edited.
    case model
    /// A model that stores are read by, such as a compiled one.
    case compiledModel
    case profile
    case store

    /// Tells what a file or the address of a store is, by its name, and profiles by how they begin.
    package init(_ url: URL) {
        self =
            switch url.pathExtension.lowercased() {
            case _ where !url.isFileURL: .store
            case "xcdatamodeld", "xcdatamodel": .model
            case _ where url.lastPathComponent == "contents": .model
            case "momd", "mom", "cdm", "xcmappingmodel": .compiledModel
            default: RecordedProfile.isProfile(at: url) ? .profile : .store
            }
    }

    /// The first part of the addresses of such documents; nil for what has no page of its own.
    var page: String? {
        switch self {
        case .model: "models"
        case .profile: "profiles"
        case .store: "stores"
        case .compiledModel: nil
        }
    }
}
