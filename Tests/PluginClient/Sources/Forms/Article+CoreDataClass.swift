//
//  Article+CoreDataClass.swift
//
//  This file was automatically generated and should not be edited.
//

public import CoreData
public import Foundation

public typealias ArticleCoreDataClassSet = NSSet

public class Article: NSManagedObject {

}
