import Foundation

/// A section of results as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
    var name: String { get }
    /// Its title in an index; nil if it is to have none.
    var indexTitle: String? { get }
    var numberOfObjects: Int { get }
    var objects: [Any]? { get }
}

final class FetchedResultsSection: NSFetchedResultsSectionInfo {
    private let section: ResultList<NSObject>.Section
    private weak var controller: (any ResultsControlling)?

    init(_ section: ResultList<NSObject>.Section, of controller: any ResultsControlling) {
        self.section = section
        self.controller = controller
    }

    var name: String { section.name }
    var indexTitle: String? { controller?.sectionIndexTitle(forSectionName: name) }
    var numberOfObjects: Int { section.elements.count }
    var objects: [Any]? { section.elements }
}
