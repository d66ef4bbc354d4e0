//
//  Article+CoreDataProperties.swift
//
//  This file was automatically generated and should not be edited.
//

public import CoreData
public import Foundation

public typealias ArticleCoreDataPropertiesSet = NSSet

extension Article {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Article> {
        return NSFetchRequest<Article>(entityName: "Article")
    }

    @NSManaged public var body: String?
    @NSManaged public var words: Int32
    @NSManaged public var comments: NSOrderedSet?
    @NSManaged public var readers: NSSet?

}

// MARK: Generated accessors for comments
extension Article {

    @NSManaged public func insertIntoComments(_ value: Remark, at idx: Int)

    @NSManaged public func removeFromComments(at idx: Int)

    @NSManaged public func insertIntoComments(_ values: [Remark], at indexes: NSIndexSet)

    @NSManaged public func removeFromComments(at indexes: NSIndexSet)

    @NSManaged public func replaceComments(at idx: Int, with value: Remark)

    @NSManaged public func replaceComments(at indexes: NSIndexSet, with values: [Remark])

    @NSManaged public func addToComments(_ value: Remark)

    @NSManaged public func removeFromComments(_ value: Remark)

    @NSManaged public func addToComments(_ values: NSOrderedSet)

    @NSManaged public func removeFromComments(_ values: NSOrderedSet)

}

// MARK: Generated accessors for readers
extension Article {

    @NSManaged public func addToReaders(_ value: Remark)

    @NSManaged public func removeFromReaders(_ value: Remark)

    @NSManaged public func addToReaders(_ values: NSSet)

    @NSManaged public func removeFromReaders(_ values: NSSet)

}

extension Article: Identifiable {

}
