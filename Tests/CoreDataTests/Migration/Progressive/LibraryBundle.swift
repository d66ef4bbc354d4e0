import CoreDataModelFormat
import CoreDataModelSource
import Foundation

@testable import CoreData

/// Splits the name of a person, as the mapping from the library's first version to its second requires.
final class NameSplittingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let author = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance]
        ).first
        let parts = (sInstance.value(forKey: "name") as? String)?.split(separator: " ").map(String.init) ?? []
        author?.setValue(parts.first, forKey: "firstName")
        author?.setValue(parts.dropFirst().joined(separator: " "), forKey: "lastName")
    }
}

/// A bundle with four versions of a model and mapping models between some of them: from the first to the
/// second with a policy, from the second to the third none, from the third to the fourth with an expression.
struct LibraryBundle {
    static let versions = [
        """
        Person
          name string
          books ->> Book.author
        Book
          title string
          author -> Person.books
        """,
        """
        Author was Person
          firstName string
          lastName string
          books ->> Book.author
        Book
          title string
          author -> Author.books
        """,
        """
        Author
          firstName string
          lastName string
          books ->>> Book.author
        Book
          name string was title
          author -> Author.books
          pages int16! = 100
        """,
        """
        Author
          firstName string
          lastName string
          books ->>> Book.author
        Book
          name string
          author -> Author.books
          pages int16! = 100
          label string
        """,
    ]

    let folder = try! ScratchFolder()
    let bundle: Bundle

    /// - Parameter mapsAll: Whether there is also a mapping model from the second version to the third.
    init(mapsAll: Bool = false) throws {
        let root = folder.url.appendingPathComponent("Library.bundle")
        let package = try ModelPackage(
            name: "Library",
            versions: zip(LibraryVersion.allCases, Self.versions).map { version, sketch in
                ModelVersion(name: version.rawValue, document: ModelSketch(sketch).model.document)
            },
            currentVersionName: LibraryVersion.current.rawValue)
        try ModelPackageWriter(package).compile(to: root.appendingPathComponent("Library.momd"))
        try Self.write(Self.mapping(0, 1) { splitNames($0) }, to: root, "1to2")
        if mapsAll { try Self.write(Self.mapping(1, 2) { _ in }, to: root, "2to3") }
        try Self.write(Self.mapping(2, 3) { addLabels($0) }, to: root, "3to4")
        bundle = Bundle(url: root)!
    }

    private static func write(_ mapping: NSMappingModel, to root: URL, _ name: String) throws {
        try CompiledMappingWriter(mapping.document).cdm().write(
            to: root.appendingPathComponent("\(name).cdm"))
    }

    /// Returns the mapping that the editor would propose, with the changes of its author.
    private static func mapping(
        _ source: Int, _ destination: Int, _ change: (NSMappingModel) -> Void
    ) throws -> NSMappingModel {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: ModelSketch(versions[source]).model,
            destinationModel: ModelSketch(versions[destination]).model)
        change(mapping)
        return mapping
    }
}

private func splitNames(_ mapping: NSMappingModel) {
    let people = mapping.entityMappings.first { $0.destinationEntityName == "Author" }!
    people.name = "PersonToAuthor"
    people.mappingType = .customEntityMappingType
    people.entityMigrationPolicyClassName = NSStringFromClass(NameSplittingPolicy.self)
}

private func addLabels(_ mapping: NSMappingModel) {
    let books = mapping.entityMappings.first { $0.destinationEntityName == "Book" }!
    let label = books.attributeMappings!.first { $0.name == "label" }!
    label.valueExpression = NSExpression(format: "$source.author.lastName")
}
